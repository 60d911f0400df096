import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Rolldown } from "vite";

/** `vite dev renderer` shows the pages of this running Postern; its Host and Origin checks see their own address. */
const gateway = "http://127.0.0.1:6174";
const proxied = { target: gateway, changeOrigin: true, headers: { origin: gateway } };

const PLOTS = /[\\/]renderer[\\/]components[\\/]plot[\\/]|[\\/]node_modules[\\/]uplot[\\/]/;

/** The parts that the first page shows. */
const OVERVIEW = [
  "features/overview/overview-page.tsx",
  "features/overview/connect-panel.tsx",
  "components/plot/plot.tsx",
];

let needed: Set<string> | undefined;

/** Whether the overview needs a module, other than what it fetches when it is used: so that it loads without all others. */
function isOfOverview(module: string, graph: Pick<Rolldown.PluginContext, "getModuleInfo">): boolean {
  if (needed === undefined) {
    needed = new Set();
    const open = OVERVIEW.map((path) => `${import.meta.dirname}/${path}`);
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      // The frame's toasts import all of these packages, which only overlays use.
      if (needed.has(id) || /@base-ui|@floating-ui/.test(id)) continue;
      needed.add(id);
      open.push(...(graph.getModuleInfo(id)?.importedIds ?? []));
    }
  }
  return needed.has(module) && !PLOTS.test(module);
}

export default defineConfig({
  root: import.meta.dirname,
  base: "./",
  plugins: [react(), tailwindcss()],
  server: { host: "127.0.0.1", proxy: { "/control": proxied, "/v1": proxied, "/health": proxied } },
  build: {
    outDir: "../out/renderer",
    emptyOutDir: true,
    target: "chrome140",
    // The strict CSP allows neither the inline preload helper nor data: fonts or styles.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // The first load stays small: each page, dialog and language is a file of its own (lib/part.ts).
    chunkSizeWarningLimit: 450,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Shared code would otherwise be one file per set of pages: 78 requests before the first page is rendered,
          // most below 1 KB.
          groups: [
            { name: "first", tags: ["$initial"], priority: 2 },
            { name: "contract", test: /[\\/]gateway[\\/]contract[\\/]|[\\/]node_modules[\\/]zod[\\/]/, priority: 1 },
            {
              name: (id, context) => (isOfOverview(id, context) ? "overview" : null),
              debugName: "overview",
              priority: 0.5,
            },
            { name: "shared", minShareCount: 2, test: (id) => !PLOTS.test(id) },
            // The overview is the first page, and loads the plot code after rendering.
            { name: "plot", minShareCount: 2, test: PLOTS, priority: -1, includeDependenciesRecursively: false },
          ],
        },
      },
    },
  },
});
