import { ArrowUp, Images } from "lucide-react";
import { useMemo } from "react";
import type { ReactNode } from "react";
import type { MediaView } from "../../../gateway/contract/media.ts";
import { useGateway } from "../../api/gateway.tsx";
import { PageHeader } from "../../components/frame/page-header.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Empty, Failure, SkeletonRows } from "../../components/ui/states.tsx";
import { useNotify } from "../../components/ui/toasts.tsx";
import { useDebounced } from "../../lib/debounced.ts";
import { formatCount } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.tsx";
import { replaceParams, useRoute } from "../../lib/router.ts";
import { CompareDialog } from "./compare-dialog.tsx";
import { drawPoster } from "./draw-poster.ts";
import { MediaDialog } from "./media-dialog.tsx";
import { getFilter, filters } from "./media-filter.ts";
import type { MediaFilter } from "./media-filter.ts";
import { ActiveMediaFilters, MediaFilters } from "./media-filters.tsx";
import { MediaGrid } from "./media-grid.tsx";
import { createPosterQueue, type PosterQueue } from "./poster-queue.ts";
import { MOST_SELECTED } from "./selection.ts";
import { SelectionBar } from "./selection-bar.tsx";
import { TaskCards } from "./task-cards.tsx";
import { tileSizes } from "./tile-grid.ts";
import { TilePlayer } from "./tile-player.ts";
import { TileSizeSwitch, useDensity } from "./tile-size-switch.tsx";
import { useMediaActions } from "./use-media-actions.ts";
import { useMediaList, type MediaList } from "./use-media-list.ts";
import { useSelection } from "./use-selection.ts";
import type { ModelView } from "../../../gateway/contract/model-view.ts";
import { useModels } from "../../api/queries.ts";
import { CopyButton } from "../../components/ui/copy.tsx";
import { codeSample } from "../../lib/samples/code-sample.ts";

const USUAL_MODEL = "gpt-image-1";

/** The call that makes a first picture, by a model that is served right now. */
export function firstPicture(models: readonly ModelView[], origin: string, key: string): string {
  const able = models.filter(({ capabilities }) => capabilities.includes("image"));
  const model = (able.find(({ id }) => id === USUAL_MODEL) ?? able[0])?.id ?? USUAL_MODEL;
  const body = { model, prompt: "A lighthouse at dusk" };
  return codeSample("curl", origin, { path: "/v1/images/generations", body }, { text: key });
}

/** How to make a first result, for an empty library. */
function FirstExample(): ReactNode {
  const t = useMessages();
  const { data: models = [] } = useModels();
  const text = firstPicture(models, location.origin, t.overview.yourKey);
  return (
    <div className="flex max-w-full flex-col items-center gap-3">
      <pre className="max-w-full overflow-hidden rounded-md border border-line bg-canvas px-3 py-2 text-left font-mono text-meta whitespace-pre-wrap wrap-anywhere text-muted">
        {text}
      </pre>
      <CopyButton text={text} label={t.library.copyExample} />
    </div>
  );
}

const TYPING_PAUSE_MS = 150;
/** Filters that tasks are not filtered by: everything, and all films. */
const WITH_TASKS: ReadonlySet<string> = new Set(["{}", '{"kind":"video"}']);

/** Everything that the models made: a wall of it, and each thing by itself. */
export function LibraryPage(): ReactNode {
  const t = useMessages();
  const notify = useNotify();
  const { params } = useRoute();
  const filterText = useDebounced(JSON.stringify(getFilter(params)), TYPING_PAUSE_MS);
  const filter = useMemo(() => JSON.parse(filterText) as MediaFilter, [filterText]);
  const library = useMediaList(filter);
  const { list } = library;
  const selection = useSelection(list, () => notify.confirm(t.library.most(formatCount(MOST_SELECTED))));
  const actions = useMediaActions(list);
  const tiles = useTiles(list);

  const rebuilding = list.head?.rebuilding ?? null;
  const isEmpty = list.ready && list.total === 0 && rebuilding === null && filterText === "{}";
  const opened = params.get("media");
  const compared = params.get("with");
  const open = (id: string | null): void => replaceParams({ media: id, with: null });
  const compare = (first: string, second: string): void => replaceParams({ media: first, with: second });
  const remove = (views: readonly MediaView[]): void => {
    actions.remove(views);
    selection.clear();
  };
  return (
    <>
      <PageHeader title={t.pages.library}>
        {list.ready && (
          <span className="numeric text-muted">
            {rebuilding === null ? t.library.total(formatCount(list.total)) : t.table.rebuilding(rebuilding)}
          </span>
        )}
      </PageHeader>
      <section className="panel">
        {!isEmpty && (
          <div className="flex min-h-10 flex-wrap items-center gap-1 border-b border-line px-1.5 py-1">
            <MediaFilters />
            <TileSizeSwitch />
          </div>
        )}
        <ActiveMediaFilters />
        {selection.views.size > 0 && (
          <SelectionBar
            views={[...selection.views.values()]}
            actions={actions}
            onDelete={remove}
            onClear={selection.clear}
            onCompare={compare}
          />
        )}
        <Lines list={list} />
        {WITH_TASKS.has(filterText) && <TaskCards {...tiles} />}
        {isEmpty ? (
          <Empty
            icon={<Images size={24} aria-hidden />}
            title={t.library.empty}
            help={t.library.emptyHelp}
            action={<FirstExample />}
          />
        ) : (
          <Results library={library} selection={selection} opened={opened} onOpen={open} onDelete={remove} {...tiles} />
        )}
      </section>
      <MediaDialog
        id={compared === null ? opened : null}
        list={list}
        onMove={open}
        onClose={() => open(null)}
        onDelete={(view) => remove([view])}
        onCompare={compare}
      />
      <CompareDialog
        ids={opened === null || compared === null ? null : [opened, compared]}
        list={list}
        onChange={([first, second]) => compare(first, second)}
        onClose={() => replaceParams({ media: null, with: null })}
      />
    </>
  );
}

/** Notices above the grid: results that are being fetched, and newer ones than those shown. */
function Lines({ list }: { readonly list: MediaList }): ReactNode {
  const t = useMessages();
  const pending = list.head?.pending ?? 0;
  const showNewer = (): void => {
    document.querySelector("main")?.scrollTo({ top: 0, behavior: "instant" });
    list.takePending();
  };
  return (
    <>
      <output className="block">
        {pending > 0 && (
          <span className="block border-b border-line px-3 py-1 text-meta text-muted">
            {t.library.pending(pending)}
          </span>
        )}
      </output>
      {list.newer > 0 && (
        <div className="sticky top-12 z-10 flex h-0 justify-center">
          <Button look="primary" icon={<ArrowUp size={14} aria-hidden />} onClick={showNewer}>
            {t.library.newer(list.newer)}
          </Button>
        </div>
      )}
    </>
  );
}

interface ResultsProps {
  readonly posters: PosterQueue;
  readonly player: TilePlayer;
  readonly library: ReturnType<typeof useMediaList>;
  readonly selection: ReturnType<typeof useSelection>;
  readonly opened: string | null;
  readonly onOpen: (id: string) => void;
  readonly onDelete: (views: readonly MediaView[]) => void;
}

function Results({ library, selection, posters, player, opened, onOpen, onDelete }: ResultsProps): ReactNode {
  const t = useMessages();
  const [density] = useDensity();
  const { list, error, retry } = library;
  if (!list.ready) return error === null ? <SkeletonRows rows={8} /> : <Failure error={error} onRetry={retry} />;
  if (list.total === 0) {
    return (
      <Empty
        title={t.table.noMatch}
        help=""
        action={<Button onClick={() => replaceParams(filters.none)}>{t.table.clearFilter}</Button>}
      />
    );
  }
  return (
    <>
      {error !== null && (
        <div className="sticky top-0 z-10 rounded-t-md border-b border-line bg-surface">
          <Failure error={error} onRetry={retry} />
        </div>
      )}
      <div className="p-3">
        <MediaGrid
          list={list}
          size={tileSizes[density]}
          selection={selection}
          posters={posters}
          player={player}
          opened={opened}
          onOpen={({ id }) => onOpen(id)}
          onDelete={onDelete}
        />
      </div>
    </>
  );
}

/** Creates the queue for the stills of films, and the player of the grid. */
function useTiles(list: MediaList): { readonly posters: PosterQueue; readonly player: TilePlayer } {
  const { client } = useGateway();
  const posters = useMemo(
    () =>
      createPosterQueue({
        draw: drawPoster,
        async save(view, image) {
          await client.call("setPoster", { image }, view.id);
          list.replace(await client.call("getMedia", {}, view.id));
        },
      }),
    [client, list],
  );
  const player = useMemo(
    () =>
      new TilePlayer({
        createAudio: () => new Audio(),
        prefersStill: () => matchMedia("(prefers-reduced-motion: reduce)").matches,
      }),
    [],
  );
  return { posters, player };
}
