/** What the gateway promises, each by its number: tests carry it in their titles, and the page of promises has a line for it. */

export const promises = {
  G1: 'What a caller was told is done stays done: its charge and its stored response outlive a killed process, and with `durability: strict` a loss of power.',
  G2: 'Each call that was let in ends once: charged, given back or expired. None is charged a second time.',
  G3: 'Nobody spends money that is not there, however many calls come at once and at however many processes.',
  G4: 'Whoever was refused pays nothing; whoever got output pays for it; where usage had to be estimated the charge says so.',
  G5: 'An upstream is tried a bounded number of times within one deadline, and never again once the caller has an event.',
  G6: 'A disconnect cancels the request to the upstream within 250 ms, unless the answer is drained within bounds; the call is settled once.',
  G7: 'A stream takes a bounded amount of memory, even where its reader stops reading.',
  G8: 'A stream that broke never looks as if it were complete.',
  G9: 'A gateway that is told to stop takes no new work, and ends and settles what runs within its drain time.',
  G10: 'A bad configuration is refused as a whole, with its file, line and key, and the one that runs goes on.',
  G11: 'Limits are exact on one process, and in a cluster off by at most one request for each process.',
  G12: 'Nobody reads or guesses the objects, keys, usage or prompts of another account.',
  G13: 'No secret stands in a log line, a metric, a trace or the body of an error.',
  G14: 'Only configured upstreams are connected to, and no address that a caller gives is ever fetched.',
} as const;

export type PromiseId = keyof typeof promises;

// `as`: the keys of an object are typed as any text.
export const promiseIds = Object.keys(promises) as PromiseId[];
