/** The console: its pages, behind the sign-in of operators. */
import { startPages } from '../kit/start.tsx';
import { Console } from './console.tsx';

startPages(<Console />, '/admin/docs/');
