/** The styles of all pages, in cascade order. */
import './tokens.css';
import './base.css';
import './controls.css';
import './parts.css';
import './details.css';
import './frame.css';
import './analysis.css';
import './fields.css';
import './filters.css';
import './print.css';
