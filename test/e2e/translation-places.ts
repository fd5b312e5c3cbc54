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
    differs: "chat answers have the content filter's fields",
    guide: 'azure',
  },
  { address: 'Azure with a version', columns: 'over chat; images', differs: 'no responses: `protocols` leaves them out', guide: 'azure' },
  { address: 'Azure, Claude', columns: 'over anthropic', differs: 'nothing', guide: 'azure' },
  {
    address: 'Vertex AI, Gemini',
    columns: 'over gemini',
    differs: 'nothing',
    guide: 'vertex',
  },
  { address: 'Vertex AI, Claude', columns: 'over anthropic', differs: 'images and files as base64 alone', guide: 'vertex' },
  { address: 'Vertex AI, open models', columns: 'over chat', differs: 'no responses, no Gemini of the third generation', guide: 'vertex' },
  { address: 'Bedrock, other models', columns: 'over converse', differs: 'nothing', guide: 'bedrock' },
  { address: 'Bedrock, Claude', columns: 'over anthropic', differs: 'images and files as base64 alone', guide: 'bedrock' },
];

export const placeRows: readonly (readonly string[])[] = [
  ['Place', 'As the column', 'What differs'],
  ...places.map(({ address, columns, differs, guide }) => [`[${address}](../guides/${guide}.md)`, columns, differs]),
];
