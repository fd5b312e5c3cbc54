/* Starts the viewer on this gateway's own document. Whatever could ask another address for something is off. */

const settings = {
  theme: 'default',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  // Keys belong on servers: the page shows how to call, it does not call.
  hideTestRequestButton: true,
  // Only our own samples: a test runs them, what the viewer would make up nobody runs.
  hiddenClients: true,
  documentDownloadType: 'none',
  modelsSectionLabel: 'Schemas',
  orderSchemaPropertiesBy: 'preserve',
  defaultOpenAllTags: true,
  generateOperationSlug: ({ operationId, path }) => operationId ?? path,
};

/* The viewer shows the examples of a body only in samples of its own making; as samples of ours they can be read and copied. */
function bodySamples(operation) {
  const examples = operation.requestBody?.content['application/json']?.examples ?? {};
  return Object.values(examples).map(({ summary, value }) => ({
    lang: 'json',
    label: `Body: ${summary}`,
    source: JSON.stringify(value, null, 2),
  }));
}

async function start() {
  const answer = await fetch('openapi.json');
  if (!answer.ok) throw new Error(`openapi.json answered ${answer.status}.`);
  const content = await answer.json();
  for (const path of Object.values(content.paths)) {
    for (const operation of Object.values(path)) operation['x-codeSamples'].push(...bodySamples(operation));
  }
  globalThis.Scalar.createApiReference('#reference', { ...settings, content });
}

start().catch((error) => {
  document.querySelector('#reference').textContent = `The reference could not be shown: ${error.message}`;
});
