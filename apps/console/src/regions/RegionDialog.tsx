import type { Region } from '@roomkeeper/contract'
import { useTranslation } from 'react-i18next'
import { EditDialog } from '#ui/EditDialog.tsx'
import { useWhileOpen } from '#ui/use-while-open.ts'
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
  const shown = useWhileOpen(isOpen, region)
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
