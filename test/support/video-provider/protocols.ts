import { ark } from "./ark.ts";
import { dashscope } from "./dashscope.ts";
import { compatible, openai } from "./openai.ts";
import type { Protocol, VideoProtocol } from "./protocol.ts";
import { xai } from "./xai.ts";

export const VIDEO_PROTOCOLS: Readonly<Record<Protocol, VideoProtocol>> = { dashscope, ark, xai, openai, compatible };
/** Where each protocol is served, and with it what its base URL ends with. */
export const PREFIXES: Readonly<Record<Protocol, string>> = {
  dashscope: "/dashscope",
  ark: "/ark/api/v3",
  xai: "/xai/v1",
  openai: "/openai/v1",
  compatible: "/compatible/v1",
};
export const PROTOCOLS = Object.keys(VIDEO_PROTOCOLS) as Protocol[];
