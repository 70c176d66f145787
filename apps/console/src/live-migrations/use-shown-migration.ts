import type { LiveMigration } from '@roomkeeper/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { liveMigrationsQuery } from '#api/queries.ts'
import { useCloseDialog } from '#ui/dialog/dialog-context.ts'

/** For a dialog about a configuration. @returns it as it is now; once it is gone, the dialog closes */
export function useShownMigration(opened: LiveMigration): LiveMigration {
  const close = useCloseDialog()
  const { data } = useQuery(liveMigrationsQuery)
  const found = data?.find((each) => each.id === opened.id)
  const isGone = data !== undefined && found === undefined
  useEffect(() => {
    if (isGone) close()
  }, [isGone, close])
  return found ?? opened
}
