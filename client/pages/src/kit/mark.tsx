import icon from './mark.svg';

/** The product's logo, which is also the favicon. */
export const Mark = () => <img className="mark" src={icon} alt="" />;
