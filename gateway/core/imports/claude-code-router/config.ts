import type { SourceFields } from "../fields.ts";

export type Members = Readonly<Record<string, unknown>>;

/** Configuration of Claude Code Router, of any version. */
export interface Config {
  readonly data: Members;
  readonly fields: SourceFields;
  /** Whether it is an old file, in which names of variables stand for their values. */
  readonly isFile: boolean;
}

/** The model that a text means, as the router writes it; null where it has none of this name. */
export type Target = (text: unknown) => string | null;
