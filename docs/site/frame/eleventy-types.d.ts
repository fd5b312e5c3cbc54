/** Types for the parts of Eleventy that the build uses. Eleventy doesn't publish types. */
declare module '@11ty/eleventy' {
  interface Configuration {
    setUseGitIgnore(isUsed: boolean): void;
    setTemplateFormats(formats: readonly string[]): void;
    addTemplate(name: string, content: string, data: { readonly permalink: string }): void;
    addTransform(name: string, transform: (this: { readonly page: { readonly outputPath: string } }, content: string) => string): void;
  }
  export class Eleventy {
    constructor(
      input: string,
      output: string,
      options: { readonly quietMode: boolean; readonly configPath: null; readonly config: (configuration: Configuration) => object },
    );
    init(): Promise<unknown>;
    setIsVerbose(isVerbose: boolean): void;
    disableLogger(): void;
    write(): Promise<unknown>;
  }
}
