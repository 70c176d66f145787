import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { loadPatiently, tellPartFailed } from '#ui/on-demand.tsx'

/** @returns a function that deletes a room after asking; stable, so that rows are not rendered again */
export function useDeleteRoom() {
  const { t } = useTranslation('rooms')
  const queryClient = useQueryClient()
  return useCallback(
    (name: string) =>
      loadPatiently(() => import('./delete-room.tsx')).then(
        ({ deleteRoom }) => deleteRoom(name, t, queryClient),
        tellPartFailed,
      ),
    [t, queryClient],
  )
}
