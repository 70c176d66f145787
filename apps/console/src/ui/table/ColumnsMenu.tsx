import { Menu } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import type { KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { OnDemandMenuProps } from '../MenuOnDemand.tsx'
import classes from './ColumnsMenu.module.css'
import type { ColumnChoice } from './use-columns.ts'

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
      <Menu.Dropdown>
        {choices.map((choice) => (
          <div key={choice.id} role="none" className={classes.column}>
            <Menu.CheckboxItem checked={choice.isShown} onChange={choice.toggle} onKeyDown={widen(choice)}>
              {choice.title}
            </Menu.CheckboxItem>
            <Move icon={IconArrowUp} label={t('table.moveLeft', { column: choice.title })} move={choice.moveLeft} />
            <Move icon={IconArrowDown} label={t('table.moveRight', { column: choice.title })} move={choice.moveRight} />
          </div>
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
  icon: typeof IconArrowUp
  label: string
  /** Null: not possible. */
  move: (() => void) | null
}

function Move({ icon: Icon, label, move }: MoveProps) {
  return (
    <Menu.Item
      className={classes.move ?? ''}
      aria-label={label}
      title={label}
      disabled={move === null}
      onClick={() => move?.()}
    >
      <Icon size={14} stroke={1.8} aria-hidden />
    </Menu.Item>
  )
}
