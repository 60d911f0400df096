import { resolveImport } from "./source-tree.ts";

/** The gateway's folders; a file may import from its own folder and from those before it. */
export const gatewayOrder = [
  "contract",
  "lib",
  "core",
  "codecs",
  "upstream",
  "providers",
  "catalog",
  "store",
  "services",
  "http",
  "mcp",
  "sandbox",
] as const;

const pure = ["gateway/core/", "gateway/catalog/", "gateway/codecs/", "gateway/contract/", "main/policy/"];
const isBuiltin = (target: string): boolean => target.startsWith("node:");
const isDisk = (target: string): boolean => /^(node:)?fs(\/promises)?$|^lowdb(\/|$)/.test(target);
const isPackage = (target: string, name: string): boolean => target === name || target.startsWith(`${name}/`);

/** A provider's part of the sandbox is in the provider's folder, and belongs to the sandbox. */
const folderOf = (path: string): string =>
  /^gateway\/providers\/[^/]+\/sandbox\.ts$/.test(path) ? "sandbox" : (path.split("/")[1] ?? "");

function gatewayReason(from: string, target: string): string | null {
  if (/^(main|renderer|test)\//.test(target)) return "the gateway knows nothing of the desktop, the pages or the tests";
  if (isPackage(target, "electron")) return "the gateway runs without Electron";
  const folder = folderOf(from);
  if (isPackage(target, "undici") && folder !== "upstream") return "only gateway/upstream imports undici";
  if (isDisk(target) && folder !== "store") return "only gateway/store touches the disk";
  if (folder === "contract" && !target.startsWith("gateway/contract/") && target !== "zod") {
    return "gateway/contract imports zod and itself only";
  }
  const own = gatewayOrder.findIndex((name) => name === folder);
  const other = target.startsWith("gateway/") ? gatewayOrder.findIndex((name) => name === folderOf(target)) : -1;
  // Files at the gateway's top put the folders together; no folder may reach back to them.
  if (own === -1) return null;
  if (/^gateway\/[^/]+\.ts$/.test(target)) return "folders do not import the files that put them together";
  return other > own ? `gateway/${folder} comes before gateway/${gatewayOrder[other]}` : null;
}

/** The pages' folders; a file may import from its own folder and from those before it. */
const pagesOrder = ["lib", "api", "components", "features"] as const;
/** The frame offers what belongs to one page from everywhere: its dialogs open over any of them. */
const frameOffers: readonly string[] = [
  "renderer/features/connections/add-connection-dialog.tsx",
  "renderer/features/keys/create-key-dialog.tsx",
];

function pagesReason(from: string, target: string): string | null {
  const [, folder = "", room = ""] = from.split("/");
  const [, , otherRoom = ""] = target.split("/");
  const own = pagesOrder.findIndex((name) => name === folder);
  const other = pagesOrder.findIndex((name) => target.startsWith(`renderer/${name}/`));
  if (own === -1 || other === -1) return null;
  if (from.startsWith("renderer/components/frame/") && frameOffers.includes(target)) return null;
  if (other > own) return `renderer/${folder} comes before renderer/${pagesOrder[other]}`;
  if (folder !== "features" || other !== own || room === otherRoom) return null;
  return "a page imports no other page: what several share is in components or api";
}

function rendererReason(from: string, target: string): string | null {
  if (target.startsWith("gateway/") && !target.startsWith("gateway/contract/")) {
    return "the pages know the gateway by its contract only";
  }
  if (target.startsWith("main/") && target !== "main/preload.ts")
    return "the pages know the desktop by its preload only";
  if (isBuiltin(target) || isPackage(target, "electron")) return "the pages run in a browser";
  return pagesReason(from, target);
}

function mainReason(from: string, target: string): string | null {
  // The preload implements what the pages describe: one declaration of the bridge, next to those who call it.
  if (from === "main/preload.ts" && target === "renderer/bridge.ts") return null;
  if (target.startsWith("renderer/")) return "the desktop shell does not import the pages";
  if (isPackage(target, "undici") || isPackage(target, "lowdb")) return "only the gateway does network and store";
  const shell = /^main\/(shell\/|preload\.ts$|index\.ts$)/.test(from);
  if (isPackage(target, "electron") && !shell)
    return "only main/shell, main/preload.ts and main/index.ts import electron";
  return null;
}

/**
 * @param from path of the importing file
 * @param specifier as written in its import
 * @returns why the import is not allowed, or null
 */
export function forbiddenBecause(from: string, specifier: string): string | null {
  const target = resolveImport(from, specifier);
  if (isBuiltin(target) && pure.some((folder) => from.startsWith(folder))) return "this folder is pure";
  if (from.startsWith("gateway/")) return gatewayReason(from, target);
  if (from.startsWith("renderer/")) return rendererReason(from, target);
  if (from.startsWith("main/")) return mainReason(from, target);
  return null;
}
