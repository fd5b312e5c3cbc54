/** Deployments of LiteLLM in clouds: they load with their place and credentials, and no secret is copied. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { loadConfig } from '../../../../server/config/config.ts';
import { formatImported, importText } from '../../../../server/config/import/importers.ts';
import { temporaryFolder } from '../../../harness/folder.ts';

const env = new Proxy({}, { get: (_, name) => (typeof name === 'string' && /^(?:AWS|GOOGLE|MY)_/.test(name) ? `of-${name}` : undefined) });

function imported(model: string, params: object = {}) {
  const found = importText('litellm', stringify({ model_list: [{ model_name: 'm', litellm_params: { model, ...params } }] }));
  const yaml = formatImported(found, 'litellm');
  const file = join(temporaryFolder(), 'modelgate.yaml');
  writeFileSync(file, yaml);
  const remarks = found.remarks.map(({ where, message }) => `${where}: ${message}`);
  return { yaml, remarks, load: () => loadConfig({ file }, env) };
}

describe('Bedrock', () => {
  const claude = 'bedrock/eu.anthropic.claude-sonnet-4-5-20250929-v1:0';

  test('signs for Claude with keys of the environment, even if the file has them in plain text', () => {
    const { yaml, remarks, load } = imported(claude, {
      aws_region_name: 'eu-central-1',
      aws_access_key_id: 'os.environ/MY_ID',
      aws_secret_access_key: 'plain-secret-4711',
    });
    expect(yaml).not.toContain('4711');
    expect(remarks.join('\n')).toMatch(/aws_secret_access_key: contains a plain-text secret.*AWS_SECRET_ACCESS_KEY/);
    const { upstreams, models } = load();
    expect(upstreams.bedrock).toMatchObject({
      kind: 'anthropic',
      aws: { region: 'eu-central-1' },
      auth: { type: 'sigv4', accessKeyId: 'of-MY_ID', secretAccessKey: 'of-AWS_SECRET_ACCESS_KEY' },
    });
    expect(models[0]?.candidates[0]).toMatchObject({ upstreamModel: 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0' });
  });

  test('signs with the machine or a profile if there are no keys', () => {
    expect(imported(claude, { aws_region_name: 'us-east-1' }).load().upstreams.bedrock).toMatchObject({ auth: { type: 'sigv4' } });
    const profile = imported(claude, { aws_region_name: 'us-east-1', aws_profile_name: 'models' });
    expect(profile.load().upstreams.bedrock).toMatchObject({ auth: { type: 'sigv4', profile: 'models' } });
    expect(profile.remarks).toEqual([expect.stringMatching(/^billing: /)]);
  });

  const profileArn = 'arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/a1b2c3';

  test.each([
    ['bedrock/us.amazon.nova-pro-v1:0', { aws_region_name: 'us-east-1' }, 'converse', 'us.amazon.nova-pro-v1:0'],
    ['bedrock/converse/mistral.mistral-large-2407-v1:0', { aws_region_name: 'us-east-1' }, 'converse', 'mistral.mistral-large-2407-v1:0'],
    ['bedrock/us-east-1/meta.llama3-1-70b-instruct-v1:0', {}, 'converse', 'meta.llama3-1-70b-instruct-v1:0'],
    [`bedrock/${profileArn}`, { aws_region_name: 'us-east-1' }, 'converse', profileArn],
    ['bedrock/anthropic.claude-opus-4-1-20250805-v1:0', { aws_region_name: 'us-east-1', model_id: profileArn }, 'anthropic', profileArn],
  ])('turns %s with %j into an upstream of the kind %s that requests %s', (model, params, kind, upstreamModel) => {
    const { upstreams, models } = imported(model, params).load();
    expect(upstreams.bedrock).toMatchObject({ kind, aws: { region: 'us-east-1' } });
    expect(models[0]?.candidates[0]).toMatchObject({ upstreamModel });
  });

  test.each([
    ['bedrock/amazon.titan-embed-text-v2:0', { aws_region_name: 'us-east-1' }, "doesn't support chat"],
    ['bedrock/stability.sd3-5-large-v1:0', { aws_region_name: 'us-east-1' }, "doesn't support chat"],
    [claude, {}, 'without aws_region_name'],
  ])('skips %s with %j, and reports it', (model, params, words) => {
    expect(imported(model, params).remarks.join('\n')).toContain(words);
  });
});

describe('Vertex AI', () => {
  const place = { vertex_project: 'my-project', vertex_location: 'europe-west1' };

  test.each([
    ['gemini-2.5-flash', 'gemini'],
    ['claude-sonnet-4-5@20250929', 'anthropic'],
    ['meta/llama-4-maverick-17b-128e-instruct-maas', 'openai-compatible'],
  ])('turns %s into an upstream of the kind %s', (model, kind) => {
    const { upstreams, models } = imported(`vertex_ai/${model}`, place).load();
    expect(upstreams.vertex).toMatchObject({ kind, google: { project: 'my-project', location: 'europe-west1' }, auth: { type: 'google' } });
    expect(models[0]?.candidates[0]?.upstreamModel).toBe(model);
  });

  test('replaces credentials in the file with a variable', () => {
    const { yaml } = imported('vertex_ai/gemini-2.5-flash', { ...place, vertex_credentials: '{"private_key":"4711"}' });
    expect(yaml).not.toContain('4711');
    expect(yaml).toContain(`credentials: \${GOOGLE_CREDENTIALS}`);
  });

  test('skips a model without a project', () => {
    expect(imported('vertex_ai/gemini-2.5-flash').remarks.join('\n')).toContain('without vertex_project');
  });
});
