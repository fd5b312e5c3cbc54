/** Groups the modules of the gateway into chunks by the programs that load them, so that a start reads few files. */

/** The bundler's module graph. */
export interface ModuleGraph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[]; readonly dynamicallyImportedIds: readonly string[] } | null;
}

/** Modules that a program imports when it starts, by the program's name. Modules are absolute paths. */
export type Programs = Readonly<Record<string, readonly string[]>>;

/**
 * Returns a function that names the chunk of a module after its programs. It returns undefined for a module of one program, because the
 * bundler puts those into the chunk of their importer. `gateway` is an exception, because it has several entries.
 */
export function createChunkNamer(listPrograms: (graph: ModuleGraph) => Programs): (id: string, graph: ModuleGraph) => string | undefined {
  let modulesByProgram: readonly (readonly [string, ReadonlySet<string>])[] | undefined;
  return (id, graph) => {
    // The graph is complete when the bundler asks for the first name.
    modulesByProgram ??= Object.entries(listPrograms(graph)).map(([name, ids]) => [name, findImports(ids, graph)]);
    const names = modulesByProgram.filter(([, modules]) => modules.has(id)).map(([name]) => name);
    return names.length > 1 || names[0] === 'gateway' ? names.join('-') : undefined;
  };
}

/** Returns the modules with all their static imports. */
function findImports(ids: readonly string[], graph: ModuleGraph): ReadonlySet<string> {
  const found = new Set(ids);
  // A set also iterates over what is added meanwhile.
  for (const id of found) for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  return found;
}
