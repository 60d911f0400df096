import type { ModelSpec } from "../../core/models/model.ts";

/** It sells others' models: what they are stands in their owners' folders, and its own list says which it serves. */
export const catalog: readonly ModelSpec[] = [];
