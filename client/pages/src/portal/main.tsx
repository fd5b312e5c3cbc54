/** The portal: its pages for the holder of a key. */
import { startPages } from '../kit/start.tsx';
import './portal.css';
import { Portal } from './portal.tsx';

startPages(<Portal />);
