/** Reads the models that fail now, because all their candidates are cooling down. */
import { useRead } from '../api.ts';

export function useFailingModels(): ReadonlySet<string> {
  const upstreams = useRead('listUpstreams').data?.data ?? [];
  return new Set(upstreams.flatMap(({ impact }) => impact?.models ?? []));
}
