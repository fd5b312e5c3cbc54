/** The console: its pages, after an operator signs in. */
import { renderPages } from '../kit/start.tsx';
import { Console } from './console.tsx';

renderPages(<Console />, '/admin/docs/');
