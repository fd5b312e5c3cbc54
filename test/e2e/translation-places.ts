/** The clouds on the page of translation: which column holds for which of their addresses, and what is different there. */

interface Place {
  readonly address: string;
  readonly columns: string;
  readonly differs: string;
  /** The guide, from docs/. */
  readonly guide: string;
}

const places: readonly Place[] = [
  {
    address: 'Azure, `/openai/v1`',
    columns: 'over chat, over responses; images',
    differs: "chat responses have the content filter's fields",
    guide: 'azure',
  },
  { address: 'Azure with a version', columns: 'over chat; images', differs: 'no Responses API: `protocols` omits it', guide: 'azure' },
  { address: 'Azure, Claude', columns: 'over anthropic', differs: 'none', guide: 'azure' },
  {
    address: 'Vertex AI, Gemini',
    columns: 'over gemini',
    differs: 'none',
    guide: 'vertex',
  },
  { address: 'Vertex AI, Claude', columns: 'over anthropic', differs: 'images and files only as base64', guide: 'vertex' },
  { address: 'Vertex AI, open models', columns: 'over chat', differs: 'no Responses API, no third-generation Gemini', guide: 'vertex' },
  { address: 'Bedrock, other models', columns: 'over converse', differs: 'none', guide: 'bedrock' },
  { address: 'Bedrock, Claude', columns: 'over anthropic', differs: 'images and files only as base64', guide: 'bedrock' },
];

export const placeRows: readonly (readonly string[])[] = [
  ['Cloud', 'Columns', 'Differences'],
  ...places.map(({ address, columns, differs, guide }) => [`[${address}](../guides/${guide}.md)`, columns, differs]),
];
