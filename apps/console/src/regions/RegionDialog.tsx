import type { Region } from '@roomkeeper/contract'
import { useTranslation } from 'react-i18next'
import { EditDialog } from '#ui/EditDialog.tsx'
import { useLastPresent } from '#ui/use-last-present.ts'
import { RegionFormView } from './RegionFormView.tsx'

interface RegionDialogProps {
  isOpen: boolean
  /** null makes a new one. */
  region: Region | null
  onClose: () => void
}

/** Makes a region known, or changes it. */
export function RegionDialog({ isOpen, region, onClose }: RegionDialogProps) {
  const { t } = useTranslation('regions')
  // While it closes it stays what it was.
  const shown = useLastPresent(isOpen ? { region } : null)?.region ?? null
  return (
    <EditDialog
      isOpen={isOpen}
      onClose={onClose}
      title={shown === null ? t('new.title') : t('edit.title', { name: shown.regionName })}
      width="most"
    >
      <RegionFormView stored={shown} onSaved={onClose} />
    </EditDialog>
  )
}
