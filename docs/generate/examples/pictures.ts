/** Small real images for the examples: a reader who decodes them gets an image, not an error. */

/** A PNG of one pixel, as plain base64. */
export const TINY_PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mPQz18BAAIXAUdUWdgcAAAAAElFTkSuQmCC';

export const TINY_PNG_URL = `data:image/png;base64,${TINY_PNG}`;
