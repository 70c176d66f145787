import type { LiveMigration } from '@roomkeeper/contract'
import { useTranslation } from 'react-i18next'
import { useLastPresent } from '#ui/use-last-present.ts'
import { useRegionNames } from './use-region-names.ts'

/** `region-1 → region-2`; while the configuration is null, that of the one before. */
export function useMigrationName(migration: LiveMigration | null): string {
  const { t } = useTranslation('migrations')
  const nameOf = useRegionNames()
  const shown = useLastPresent(migration)
  if (shown === null) return ''
  return t('name', { source: nameOf(shown.sourceRegion), target: nameOf(shown.targetRegion) })
}
