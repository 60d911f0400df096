import type { SourceFields } from "../fields.ts";

export type Members = Readonly<Record<string, unknown>>;

/** Configuration of Claude Code Router, of any version. */
export interface Config {
  readonly data: Members;
  readonly fields: SourceFields;
  /** Whether it is an old file, in which variable names may be used for values. */
  readonly isFile: boolean;
}

/** Returns the model for a text in the router's format; null if there is no such model. */
export type Target = (text: unknown) => string | null;
