import { Group, Menu } from '@mantine/core'
import { type Icon, IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import type { KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { OnDemandMenuProps } from '../MenuOnDemand.tsx'
import type { ColumnChoice } from './use-column-layout.ts'

const stepPixels = 16

export interface ColumnChoices {
  choices: readonly ColumnChoice[]
  onReset: () => void
}

/** Shows, hides and moves columns; the left and right arrow keys make the focused column narrower and wider. */
export function ColumnsMenu({ target, choices, onReset, ...menu }: OnDemandMenuProps & ColumnChoices) {
  const { t } = useTranslation('app')
  const widen = (choice: ColumnChoice) => (event: KeyboardEvent) => {
    if (!choice.isShown || (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight')) return
    event.preventDefault()
    choice.widen(event.key === 'ArrowRight' ? stepPixels : -stepPixels)
  }
  return (
    <Menu {...menu} position="top-start" closeOnItemClick={false} width={270}>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown mah="70dvh" style={{ overflowY: 'auto' }}>
        {choices.map((choice) => (
          <Group key={choice.id} role="none" gap={0} wrap="nowrap">
            <Menu.CheckboxItem flex={1} checked={choice.isShown} onChange={choice.toggle} onKeyDown={widen(choice)}>
              {choice.title}
            </Menu.CheckboxItem>
            <Move icon={IconArrowUp} label={t('table.moveLeft', { column: choice.title })} move={choice.moveLeft} />
            <Move icon={IconArrowDown} label={t('table.moveRight', { column: choice.title })} move={choice.moveRight} />
          </Group>
        ))}
        <Menu.Divider />
        <Menu.Label>{t('table.widthKeys')}</Menu.Label>
        <Menu.Item closeMenuOnClick onClick={onReset}>
          {t('table.resetColumns')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

interface MoveProps {
  icon: Icon
  label: string
  /** Null: not possible. */
  move: (() => void) | null
}

function Move({ icon: Icon, label, move }: MoveProps) {
  return (
    <Menu.Item
      flex="none"
      w={28}
      p="xs"
      aria-label={label}
      title={label}
      disabled={move === null}
      onClick={() => move?.()}
    >
      <Icon size={14} stroke={1.8} aria-hidden />
    </Menu.Item>
  )
}
