/** Finds the sizes and qualities that OpenAI's image models accept, by model name. */

/** Values that an image model accepts. The provider decides about omitted keys. */
export interface ImageRules {
  readonly qualities?: readonly string[] | undefined;
  readonly formats?: readonly string[] | undefined;
  /** Fields that the model accepts although only some models support them. */
  readonly fields?: readonly string[] | undefined;
  /** A list of sizes, or limits for any size in pixels. `maxRatio` is the maximum ratio of the long side to the short side. */
  readonly sizes?: readonly string[] | Readonly<Record<'multipleOf' | 'maxRatio' | 'longSide' | 'shortSide', number>> | undefined;
  readonly edits?: boolean | undefined;
}

const gridSizes = { multipleOf: 16, maxRatio: 3, longSide: 3840, shortSide: 2160 };

const basicQualities = ['low', 'medium', 'high'];

/** OpenAI image models by the start of their names. For other models, the provider decides. */
const knownRules: readonly (readonly [name: RegExp, rules: ImageRules])[] = [
  [/^gpt-image-2(?![\d.])/, { qualities: basicQualities, formats: ['png', 'jpeg', 'webp'], fields: [], sizes: gridSizes }],
  [
    /^gpt-image-2\.[5-9]/,
    {
      qualities: [...basicQualities, 'xhigh', 'max'],
      formats: ['png', 'jpeg', 'webp', 'gif'],
      fields: ['complexity', 'frame_count', 'frame_duration_ms', 'markup'],
      sizes: gridSizes,
    },
  ],
];

export const findImageRules = (model: string): ImageRules | undefined => knownRules.find(([name]) => name.test(model))?.[1];
