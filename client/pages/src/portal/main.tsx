/** The portal: its pages for the owner of a key. */
import { startPages } from '../kit/start.tsx';
import './portal.css';
import { Portal } from './portal.tsx';

startPages(<Portal />, '/docs/');
