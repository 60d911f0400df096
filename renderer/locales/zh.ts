import type { Messages } from "./messages.ts";
import { en } from "./en.ts";
export const zh: Messages = en;
