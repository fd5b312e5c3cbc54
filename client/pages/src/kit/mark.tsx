import icon from './mark.svg';

/** The mark of the product, which the pages also have as their icon. */
export const Mark = () => <img className="mark" src={icon} alt="" />;
