/** Chooses between chat completions and responses for upstreams that have both, and remembers what a provider rejects (decision 0004). */
import type { Candidate } from '../config/model-catalog.ts';
import type { ChatRejection } from '../config/model-rules.ts';
import { findChatEffort } from '../protocols/canonical/reasoning-effort.ts';
import { hasFunctions } from '../protocols/chat/read-request.ts';
import { getProtocol, type ParsedRequest } from './transcoder.ts';

type OwnProtocol = 'chat' | 'responses';

const others = { chat: 'responses', responses: 'chat' } as const satisfies Record<OwnProtocol, OwnProtocol>;

/**
 * Chooses between the two OpenAI protocols for an upstream that supports both. Keeps the caller's, so that everything passes unchanged, unless the
 * provider rejects the request over it. The rejections are configured, known by model name, or learned (decision 0004).
 */
export interface ProtocolChoice {
  /** Returns the candidate, restricted to the other protocol if the provider rejects the request over the caller's. */
  narrow(candidate: Candidate, parsed: ParsedRequest): Candidate;
  /** Returns the candidate restricted to the other protocol, or null if it has no other protocol, or the request already used it. */
  toOtherProtocol(candidate: Candidate, parsed: ParsedRequest): Candidate | null;
  /** Remembers that the provider rejected the request over the caller's protocol and accepted it over the other one. */
  learn(candidate: Candidate, parsed: ParsedRequest): void;
}

/** After this time, a learned rule is tested again, because providers lift their restrictions. */
export const REMEMBERED_MS = 3_600_000;

/** `now`: a monotonic clock, in milliseconds. */
export function openProtocolChoice(now: () => number = () => performance.now()): ProtocolChoice {
  /** By upstream, upstream model and caller protocol, so the number of candidates bounds it. */
  const learned = new Map<string, { rejects: ChatRejection; until: number }>();
  const findLearned = (candidate: Candidate, own: OwnProtocol): ChatRejection => {
    const found = learned.size > 0 ? learned.get(toCacheKey(candidate, own)) : undefined;
    return found && found.until > now() ? found.rejects : 'never';
  };
  return {
    narrow(candidate, parsed) {
      const own = findSwitchableProtocol(candidate, parsed);
      if (own === null) return candidate;
      const known = own === 'chat' ? (candidate.responsesOnly ?? 'never') : 'never';
      const isRejected = [known, findLearned(candidate, own)].some((rejects) => covers(rejects, parsed));
      return isRejected ? restrictTo(candidate, others[own]) : candidate;
    },
    toOtherProtocol(candidate, parsed) {
      const own = findSwitchableProtocol(candidate, parsed);
      return own === null || candidate.responsesOnly === 'never' ? null : restrictTo(candidate, others[own]);
    },
    learn(candidate, parsed) {
      const own = findSwitchableProtocol(candidate, parsed);
      if (own === null) return;
      const before = findLearned(candidate, own);
      const rejects = own === 'chat' ? classifyRequest(parsed) : 'always';
      const most = ranks.indexOf(before) > ranks.indexOf(rejects) ? before : rejects;
      learned.set(toCacheKey(candidate, own), { rejects: most, until: now() + REMEMBERED_MS });
    },
  };
}

const ranks: readonly ChatRejection[] = ['never', 'tools-with-reasoning', 'tools', 'always'];

const toCacheKey = ({ upstream, upstreamModel }: Candidate, own: OwnProtocol): string => `${own} ${upstream} ${upstreamModel}`;

/** Returns the caller's protocol if the candidate supports both protocols. Null otherwise. */
function findSwitchableProtocol({ protocols }: Candidate, parsed: ParsedRequest): OwnProtocol | null {
  const own = getProtocol(parsed);
  if (own === 'images' || parsed.body.kind !== 'json' || !isOwn(own)) return null;
  return protocols.includes(own) && protocols.includes(others[own]) ? own : null;
}

const isOwn = (protocol: string): protocol is OwnProtocol => Object.hasOwn(others, protocol);

/** Returns the narrowest `responsesOnly` value that covers the request. */
function classifyRequest({ body: { value } }: ParsedRequest): ChatRejection {
  if (!hasFunctions(value)) return 'always';
  const effort = findChatEffort(value);
  if (effort === null) return 'tools';
  return effort === 'none' ? 'always' : 'tools-with-reasoning';
}

const covers = (rejects: ChatRejection, parsed: ParsedRequest): boolean =>
  rejects !== 'never' && (rejects === 'always' || ranks.indexOf(classifyRequest(parsed)) <= ranks.indexOf(rejects));

/** One object per candidate and protocol, since callers compare candidates by identity. */
const narrowed = new WeakMap<Candidate, Map<OwnProtocol, Candidate>>();

function restrictTo(candidate: Candidate, protocol: OwnProtocol): Candidate {
  const known = narrowed.get(candidate) ?? new Map<OwnProtocol, Candidate>();
  narrowed.set(candidate, known);
  const made = known.get(protocol) ?? { ...candidate, protocols: [protocol] };
  known.set(protocol, made);
  return made;
}
