import { useQuery } from "@tanstack/react-query";
import {
  Activity,
  Archive,
  Cable,
  Copy,
  Disc,
  Gauge,
  Keyboard,
  Languages,
  Monitor,
  Moon,
  Pause,
  Play,
  Plus,
  Sun,
  Wallet,
  Webhook,
  Zap,
} from "lucide-react";
import { useGateway } from "../../api/gateway.tsx";
import { useGatewayState } from "../../api/queries.ts";
import { queryNames } from "../../api/query-names.ts";
import { usePause } from "./use-pause.ts";
import { formatBytes } from "../../lib/format.ts";
import { languages, useSpeech } from "../../lib/i18n.tsx";
import { navigate } from "../../lib/router.ts";
import { chooseTheme, themes } from "../../lib/theme.ts";
import { getPage } from "../../routes.ts";
import { useCopySaying } from "./use-copy-saying.ts";
import { useTestAll } from "./use-test-all.ts";
import { useNotify } from "../ui/toasts.tsx";
import type { OverlayName } from "./overlays.ts";
import type { Command } from "./palette-groups.ts";

const themeIcons = { system: Monitor, light: Sun, dark: Moon } as const;

/** Returns the actions that are available everywhere. */
export function useActions(open: (name: OverlayName) => void): readonly Command[] {
  const { t, choose } = useSpeech();
  const { client } = useGateway();
  const { data: state } = useGatewayState();
  const { data: recordings } = useQuery({
    queryKey: [queryNames.recordings],
    queryFn: () => client.call("recordings"),
  });
  const { pause, resume } = usePause();
  const copyText = useCopySaying();
  const testAll = useTestAll();
  const notify = useNotify();

  const attempt = async (run: () => Promise<string>): Promise<void> => {
    try {
      notify.confirm(await run());
    } catch (error) {
      notify.showError(error);
    }
  };
  const backUp = async (): Promise<string> => t.palette.backedUp(formatBytes((await client.call("backup")).bytes));
  const openNewest = async (): Promise<void> => {
    const { data } = await client.call("listRequests", { limit: 1 });
    const [newest] = data;
    if (newest === undefined) notify.confirm(t.palette.noRequest);
    else navigate("requests", { id: newest.id });
  };
  const stopRecording = async (): Promise<string> => {
    await client.call("updateSettings", { record_bodies: false });
    return t.palette.notRecording;
  };

  return [
    { value: "add-connection", label: t.connections.add, icon: Plus, run: () => open("addConnection") },
    { value: "create-key", label: t.keys.create, icon: Plus, run: () => open("createKey") },
    { value: "new-route", label: t.routes.add, icon: Plus, run: () => navigate("routes", { new: "blank" }) },
    {
      value: "connect-card",
      label: t.overview.connect,
      icon: Cable,
      run: () => navigate("overview", { card: "connect" }),
    },
    ...(testAll === null
      ? []
      : [{ value: "test-all", label: t.palette.testAll, icon: Zap, run: () => void testAll() }]),
    {
      value: "newest-request",
      label: t.palette.newestRequest,
      icon: Activity,
      run: () => void openNewest().catch(notify.showError),
    },
    { value: "limit-key", label: t.keys.limitTitle, icon: Gauge, run: () => navigate("keys", { limit: "last" }) },
    ...(state === undefined
      ? []
      : (
          [
            ["copy-url", t.palette.copyBaseUrl, `${state.url}/v1`],
            ["copy-mcp", t.palette.copyMcpAddress, `${state.url}/mcp`],
          ] as const
        ).map(([value, label, address]) => ({ value, label, icon: Copy, run: () => void copyText(address) }))),
    ...(state?.status === "paused"
      ? [{ value: "resume", label: t.status.resume, icon: Play, run: resume }]
      : state?.status === "running"
        ? [{ value: "pause", label: t.palette.pauseClients, icon: Pause, run: pause }]
        : []),
    { value: "backup", label: t.palette.backup, icon: Archive, run: () => void attempt(backUp) },
    // Recording is enabled in its settings, which show what is stored, where, and for how long.
    ...(recordings?.on === true
      ? [{ value: "record-off", label: t.palette.recordOff, icon: Disc, run: () => void attempt(stopRecording) }]
      : [
          {
            value: "record-on",
            label: t.palette.recordOn,
            icon: Disc,
            run: () => navigate("requests", { panel: "recording" }),
          },
        ]),
    ...(getPage("settings") === undefined
      ? []
      : [
          {
            value: "budget",
            label: t.palette.budget,
            icon: Wallet,
            run: () => navigate("settings", { section: "budget" }),
          },
        ]),
    {
      value: "webhooks",
      label: t.palette.webhooks,
      icon: Webhook,
      run: () => navigate("tasks", { panel: "webhooks" }),
    },
    ...themes.map((theme) => ({
      value: `theme-${theme}`,
      label: t.palette.themeNamed(t.app.themes[theme]),
      icon: themeIcons[theme],
      run: () => chooseTheme(theme),
    })),
    ...languages.map(({ id, label }) => ({
      value: `language-${id}`,
      label: `${t.app.language}: ${label}`,
      icon: Languages,
      run: () => choose(id),
    })),
    { value: "shortcuts", label: t.app.shortcuts, icon: Keyboard, hint: "?", run: () => open("shortcuts") },
  ];
}
