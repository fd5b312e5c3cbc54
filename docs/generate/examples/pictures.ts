/** Small but valid images for the examples, so that readers who decode them get an image. */

/** A one-pixel PNG in base64. */
export const TINY_PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mPQz18BAAIXAUdUWdgcAAAAAElFTkSuQmCC';

export const TINY_PNG_URL = `data:image/png;base64,${TINY_PNG}`;
