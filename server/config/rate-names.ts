/** The classes of token prices by their names on the wire, with their names in the configuration and among options of commands. */
export const rateNames = {
  input: 'input',
  cached_input: 'cachedInput',
  cache_write: 'cacheWrite',
  cache_write_1h: 'cacheWrite1h',
  cache_write_12h: 'cacheWrite12h',
  image_input: 'imageInput',
  audio_input: 'audioInput',
  output: 'output',
  image_output: 'imageOutput',
  audio_output: 'audioOutput',
} as const;
