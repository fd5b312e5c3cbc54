/** The console: its pages, behind the sign-in of operators. */
import { renderPages } from '../kit/start.tsx';
import { Console } from './console.tsx';

renderPages(<Console />, '/admin/docs/');
