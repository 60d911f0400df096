import { nineRouterImporter } from "./9router/9router.ts";
import { omniRouteImporter } from "./9router/omniroute.ts";
import { bifrostImporter } from "./bifrost.ts";
import { ccSwitchImporter } from "./cc-switch/cc-switch.ts";
import { claudeCodeRouterImporter } from "./claude-code-router/claude-code-router.ts";
import { cliProxyApiImporter } from "./cliproxyapi.ts";
import { continueImporter } from "./continue.ts";
import { envImporter } from "./env.ts";
import type { Importer } from "./importer.ts";
import { litellmImporter } from "./litellm/litellm.ts";
import { opencodeImporter } from "./opencode.ts";
import { zedImporter } from "./zed.ts";

/** All programs whose set-up can be imported, in display order. */
export const allImporters: readonly Importer[] = [
  claudeCodeRouterImporter,
  ccSwitchImporter,
  litellmImporter,
  cliProxyApiImporter,
  nineRouterImporter,
  omniRouteImporter,
  bifrostImporter,
  opencodeImporter,
  continueImporter,
  zedImporter,
  envImporter,
];
