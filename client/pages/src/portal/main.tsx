/** The portal: its pages for the owner of a key. */
import { renderPages } from '../kit/start.tsx';
import './portal.css';
import { Portal } from './portal.tsx';

renderPages(<Portal />, '/docs/');
