import { Skeleton } from '@mantine/core'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { EmptyState } from '../EmptyState.tsx'
import { TryAgain } from '../TryAgain.tsx'
import type { LoadState } from './load-state.ts'

interface NotLoadedProps extends LoadState {
  expectedRows?: number | undefined
}

/** Stands where a table will be, or would be if it could be loaded. */
export function NotLoaded({ failure, onAgain, expectedRows = 4 }: NotLoadedProps) {
  if (failure === null) return <Skeleton height={30 + 36 * expectedRows} />
  return <EmptyState isError icon={IconPlugConnectedX} {...failure} action={<TryAgain onClick={onAgain} />} />
}
