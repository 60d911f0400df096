import { getAppName } from "../../../gateway/contract/apps.ts";
import {
  Activity,
  Cable,
  Clapperboard,
  Copy,
  FlaskConical,
  Images,
  KeyRound,
  Layers,
  Plug,
  Waypoints,
} from "lucide-react";
import { useNewestTasks } from "../../api/task-queries.ts";
import { RECENT_ROWS } from "../../api/live.ts";
import { useClients, useConnections, useKeys, useModels, useRecentRequests } from "../../api/queries.ts";
import { useRoutes } from "../../api/route-queries.ts";
import { formatMoment } from "../../lib/format.ts";
import { useMessages, useSpeech } from "../../lib/i18n.tsx";
import { navigate } from "../../lib/router.ts";
import { formatPageName, pages } from "../../routes.ts";
import type { OverlayName } from "./overlays.ts";
import { createGroupsAtFirst, createGroupsFound, type Command, type CommandGroup } from "./palette-groups.ts";
import { useCopySaying } from "./use-copy-saying.ts";
import { formatPageShortcut } from "./shortcut-table.ts";
import { useActions } from "./use-actions.ts";

/** Max characters of a search. */
const LONGEST_SEARCH = 500;
const ALL_REQUESTS = {};
/** Max characters of a prompt used as a name. */
const LONGEST_PROMPT = 80;

/**
 * All palette commands for a query. Page searches come last, because a typed name usually means the item itself.
 * @param recent values of the most recent commands
 */
export function useCommands(
  open: (name: OverlayName) => void,
  typed: string,
  recent: readonly string[],
): readonly CommandGroup[] {
  const t = useMessages();
  const actions = useActions(open);
  const named = useNamed();
  const groups: readonly CommandGroup[] = [
    { value: t.palette.actions, upFront: true, items: actions },
    ...named,
    {
      value: t.palette.pages,
      upFront: true,
      items: pages.map((page) => ({
        value: `page-${page.id}`,
        label: formatPageName(page, t.pages),
        icon: page.icon,
        hint: formatPageShortcut(page),
        run: () => navigate(page.id),
      })),
    },
  ];
  const q = typed.trim().slice(0, LONGEST_SEARCH);
  if (q === "") return createGroupsAtFirst(groups, recent, t.palette.recent);
  return [...createGroupsFound(groups, q, recent), { value: t.palette.search, items: listSearches(q, t.palette) }];
}

/** Returns the user's models, routes and other items as commands by name. */
function useNamed(): readonly CommandGroup[] {
  const { t, language } = useSpeech();
  const { data: models = [] } = useModels();
  const { data: routes = [] } = useRoutes();
  const { data: keys = [] } = useKeys();
  const { data: connections = [] } = useConnections();
  const { data: tasks } = useNewestTasks();
  const { data: clients } = useClients();
  const { data: requests } = useRecentRequests(ALL_REQUESTS);
  const copyText = useCopySaying();
  return [
    {
      value: t.palette.models,
      items: models.map(({ id }) => ({
        value: `model-${id}`,
        label: id,
        icon: Layers,
        run: () => navigate("models", { model: id }),
      })),
    },
    {
      value: t.palette.routes,
      items: routes.map(({ name }) => ({
        value: `route-${name}`,
        label: name,
        icon: Waypoints,
        run: () => navigate("routes", { edit: name }),
      })),
    },
    {
      value: t.pages.playground,
      items: models
        .filter(({ provider }) => provider !== "")
        .map(({ id }) => ({
          value: `ask-${id}`,
          label: t.palette.ask(id),
          icon: FlaskConical,
          run: () => navigate("playground", { model: id }),
        })),
    },
    {
      value: t.pages.requests,
      items: (requests?.data.slice(0, RECENT_ROWS) ?? []).map(({ id, model, client, status, at }) => ({
        value: `request-${id}`,
        label: model,
        icon: Activity,
        hint: formatMoment(at, language),
        also: `${id} ${client} ${getAppName(client)} ${status}`,
        run: () => navigate("requests", { id }),
      })),
    },
    {
      value: t.palette.keys,
      items: keys.map(({ id, name, hint }) => ({
        value: `key-${id}`,
        label: name,
        icon: KeyRound,
        hint,
        run: () => navigate("keys", { q: name }),
      })),
    },
    {
      value: t.palette.keyHints,
      items: keys.map(({ id, name, hint }) => ({
        value: `hint-${id}`,
        label: t.palette.copyKeyHint(name),
        icon: Copy,
        hint,
        run: () => void copyText(hint),
      })),
    },
    {
      value: t.palette.connections,
      items: connections.map(({ id, name, base_url }) => ({
        value: `connection-${id}`,
        label: name,
        icon: Plug,
        also: base_url,
        run: () => navigate("connections"),
      })),
    },
    {
      value: t.palette.clients,
      items: (clients?.data ?? []).map(({ id, name, connected, writes }) => {
        const canConnect = connected === null && writes.length > 0;
        return {
          value: `client-${id}`,
          label: canConnect ? t.palette.connectClient(name) : name,
          icon: Cable,
          run: () => navigate("clients", canConnect ? { connect: id } : {}),
        };
      }),
    },
    {
      value: t.palette.tasks,
      items: (tasks?.data ?? []).flatMap((task) =>
        task === undefined
          ? []
          : [
              {
                value: `task-${task.id}`,
                label: task.prompt === "" ? task.id : task.prompt.slice(0, LONGEST_PROMPT),
                icon: Clapperboard,
                hint: t.tasks.statuses[task.status],
                also: task.id,
                run: () => navigate("tasks", { task: task.id }),
              },
            ],
      ),
    },
  ];
}

interface SearchWords {
  searchRequests(text: string): string;
  searchTasks(text: string): string;
  searchLibrary(text: string): string;
}

const listSearches = (q: string, t: SearchWords): readonly Command[] => [
  { value: "search-tasks", label: t.searchTasks(q), icon: Clapperboard, run: () => navigate("tasks", { q }) },
  { value: "search-library", label: t.searchLibrary(q), icon: Images, run: () => navigate("library", { q }) },
  { value: "search-requests", label: t.searchRequests(q), icon: Activity, run: () => navigate("requests", { q }) },
];
