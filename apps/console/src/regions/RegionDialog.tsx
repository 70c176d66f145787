import type { Region } from '@roomkeeper/contract'
import { useTranslation } from 'react-i18next'
import { EditDialog } from '#ui/EditDialog.tsx'
import { RegionFormView } from './RegionFormView.tsx'

/** Makes a region known, or changes it. @param props.region null makes a new one */
export function RegionDialog({ region }: { region: Region | null }) {
  const { t } = useTranslation('regions')
  return (
    <EditDialog title={region === null ? t('new.title') : t('edit.title', { name: region.regionName })} width="most">
      <RegionFormView stored={region} />
    </EditDialog>
  )
}
