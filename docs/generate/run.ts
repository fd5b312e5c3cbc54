/** Runs every generator. With `--check`, it fails if a file is stale. It always fails on a breaking change without an entry. */
import { adminOpenapiOutput } from './admin-openapi.ts';
import { apiChangelogOutput, rejectUnnamedChanges } from './api-changelog.ts';
import { clientOutputs } from './client.ts';
import { commandsOutput } from './commands.ts';
import { configSchemaOutput } from './config-schema.ts';
import { configurationOutput } from './configuration.ts';
import { connectOutput } from './connect.ts';
import { errorsOutput } from './errors.ts';
import { fieldProbesOutput } from './field-probes.ts';
import { metricsOutput } from './metrics.ts';
import { migrationOutput } from './migration.ts';
import { openapiOutput } from './openapi.ts';
import { twinOutput } from './openapi-3.2.ts';
import { operationErrorsOutput } from './operation-errors.ts';
import { type Output, publish } from './output.ts';
import { portalOpenapiOutput } from './portal-openapi.ts';
import { recordingSchemaOutput } from './recording-schema.ts';
import { responseOrderOutput } from './response-order.ts';
import { typesOutput } from './types.ts';

/** All generated files except translation.md, which a test writes, and public-models.json, which needs a download. */
export async function allOutputs(): Promise<Output[]> {
  return [
    openapiOutput(),
    twinOutput(),
    adminOpenapiOutput(),
    portalOpenapiOutput(),
    await typesOutput(),
    errorsOutput(),
    fieldProbesOutput(),
    responseOrderOutput(),
    migrationOutput(),
    connectOutput(),
    metricsOutput(),
    configSchemaOutput(),
    configurationOutput(),
    await commandsOutput(),
    recordingSchemaOutput(),
    ...clientOutputs(),
    operationErrorsOutput(),
    apiChangelogOutput(),
  ];
}

if (import.meta.main) {
  for (const output of await allOutputs()) publish(output);
  rejectUnnamedChanges();
}
