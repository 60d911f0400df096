import { useInfiniteQuery } from "@tanstack/react-query";
import { Images } from "lucide-react";
import type { ReactNode } from "react";
import type { MediaView } from "../../../../gateway/contract/media.ts";
import { useGateway } from "../../../api/gateway.tsx";
import { queryNames } from "../../../api/query-names.ts";
import { Button } from "../../../components/ui/button.tsx";
import { Modal } from "../../../components/ui/dialog.tsx";
import { Empty, Failure, SkeletonRows } from "../../../components/ui/states.tsx";
import { useMessages } from "../../../lib/i18n.tsx";
import { getCaption } from "../../../components/media/media-caption.ts";
import { ownLink } from "../../../components/media/media-links.ts";

export interface LibraryPickerProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onPick: (view: MediaView) => void;
}

/** Chooses one picture of the library, the newest first. */
export function LibraryPicker({ open, onClose, onPick }: LibraryPickerProps): ReactNode {
  const t = useMessages();
  return (
    <Modal open={open} onClose={onClose} title={t.playground.choosePicture} size="large">
      <div className="px-4 pt-3 pb-4">{open && <Choice onPick={onPick} />}</div>
    </Modal>
  );
}

const PAGE = 24;

function Choice({ onPick }: Pick<LibraryPickerProps, "onPick">): ReactNode {
  const t = useMessages();
  const { client } = useGateway();
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetching } = useInfiniteQuery({
    queryKey: [queryNames.media, "picker"],
    queryFn: ({ pageParam }) =>
      client.call("listMedia", { kind: "image", limit: PAGE, ...(pageParam !== null && { before: pageParam }) }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ cursor }) => cursor,
  });
  const views = (data?.pages ?? []).flatMap((page) => page.data).filter(({ available }) => available);
  if (data === undefined) {
    return error === null ? <SkeletonRows rows={4} /> : <Failure error={error} onRetry={() => void refetch()} />;
  }
  if (views.length === 0) {
    return (
      <Empty
        icon={<Images size={24} aria-hidden />}
        title={t.playground.noPictures}
        help={t.playground.noPicturesHelp}
      />
    );
  }
  return (
    <>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(104px,1fr))] gap-2">
        {views.map((view) => (
          <li key={view.id}>
            <button
              type="button"
              aria-label={getCaption(view, t).slice(0, 120)}
              onClick={() => onPick(view)}
              className="block aspect-square w-full overflow-hidden rounded-md border border-line bg-pressed hover:border-faint"
            >
              <img
                src={ownLink(view.link) ?? undefined}
                alt=""
                loading="lazy"
                decoding="async"
                className="size-full object-cover"
              />
            </button>
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <Button className="mt-3" busy={isFetching} onClick={() => void fetchNextPage()}>
          {t.playground.olderPictures}
        </Button>
      )}
    </>
  );
}
