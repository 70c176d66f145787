import { Menu } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { isCsvForExcel, setCsvForExcel } from './csv-format.ts'
import type { OnDemandMenuProps } from './MenuOnDemand.tsx'

export interface CsvExports {
  /** Exports in the format that has been chosen. */
  onExport: () => void
  /** Another way to export, in the same format. */
  other?: { label: string; onExport: () => void }
}

/** The formats of CSV, with a mark at the chosen one. */
export function CsvFormats(props: OnDemandMenuProps & CsvExports) {
  const { target, opened, onChange, onExport, other } = props
  const { t } = useTranslation('app')
  const isForExcel = isCsvForExcel()
  const format = (excel: boolean, name: string) => (
    <Menu.Item
      aria-current={isForExcel === excel || undefined}
      rightSection={isForExcel === excel ? <IconCheck size={14} aria-hidden /> : null}
      onClick={() => {
        setCsvForExcel(excel)
        onExport()
      }}
    >
      {name}
    </Menu.Item>
  )
  return (
    <Menu opened={opened} onChange={onChange} position="bottom-end" keepMounted={false}>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        {format(false, t('csv.programs'))}
        {format(true, t('csv.excel'))}
        {other !== undefined && (
          <>
            <Menu.Divider />
            <Menu.Item onClick={other.onExport}>{other.label}</Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
