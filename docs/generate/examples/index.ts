/** The examples of every operation, by operation name. */
import type { Contract } from '../../../contract/index.ts';
import { accountExamples, keyExamples, statementExamples, summaryExamples } from './account.ts';
import { catalogExamples } from './catalog.ts';
import { chatExamples } from './chat.ts';
import { compactionExamples } from './compaction.ts';
import type { OperationExamples } from './example.ts';
import { editExamples, generationExamples } from './images.ts';
import { modelExamples, oneModelExamples, protocolExamples } from './models.ts';
import { responseExamples } from './responses.ts';
import { cancellationExamples, countExamples, deletionExamples, inputItemExamples, storedExamples } from './stored-responses.ts';
import { receiptExamples, usageExamples } from './usage.ts';

export const examples: Readonly<Record<keyof Contract, OperationExamples>> = {
  listModels: modelExamples,
  getModel: oneModelExamples,
  getProtocol: protocolExamples,
  getCatalog: catalogExamples,
  createResponse: responseExamples,
  getResponse: storedExamples,
  compactResponse: compactionExamples,
  cancelResponse: cancellationExamples,
  deleteResponse: deletionExamples,
  listInputItems: inputItemExamples,
  countInputTokens: countExamples,
  createChatCompletion: chatExamples,
  generateImages: generationExamples,
  editImages: editExamples,
  listUsage: usageExamples,
  getUsage: receiptExamples,
  getAccount: accountExamples,
  getKey: keyExamples,
  getUsageSummary: summaryExamples,
  listStatement: statementExamples,
};
