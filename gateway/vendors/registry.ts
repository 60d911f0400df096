import type { VendorId } from "../contract/connection.ts";
import { vendor as anthropic } from "./anthropic/vendor.ts";
import { vendor as ark } from "./ark/vendor.ts";
import { vendor as dashscope } from "./dashscope/vendor.ts";
import { vendor as gemini } from "./gemini/vendor.ts";
import { vendor as openai } from "./openai/vendor.ts";
import { vendor as openaiCompatible } from "./openai-compatible/vendor.ts";
import { vendor as voyage } from "./voyage/vendor.ts";
import { vendor as xai } from "./xai/vendor.ts";
import type { Vendor } from "./vendor.ts";

/** Every upstream protocol that Postern speaks, listed by hand: adding one is a folder and a line. */
export const vendors: Readonly<Record<VendorId, Vendor>> = {
  openai,
  "openai-compatible": openaiCompatible,
  anthropic,
  dashscope,
  gemini,
  voyage,
  ark,
  xai,
};
