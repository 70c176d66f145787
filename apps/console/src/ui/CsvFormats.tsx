import { Menu } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { CsvFormatMenuProps } from './CsvFormatMenu.tsx'
import { isCsvForExcel, setCsvForExcel } from './csv-format.ts'
import type { OnDemandMenuProps } from './MenuOnDemand.tsx'

/** The formats of CSV, with a mark at the chosen one. */
export function CsvFormats(props: OnDemandMenuProps & Pick<CsvFormatMenuProps, 'onExport' | 'other'>) {
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
