import { Accordion, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { regionsQuery } from '#api/queries.ts'
import { ConfigurationTab } from '#cloud-settings/index.ts'
import { LiveMigrationTab, useLiveMigrations } from '#live-migrations/index.ts'
import { MonitoringTab } from '#monitoring/index.ts'
import { RegionsTab } from '#regions/index.ts'
import { DialogFoot } from '#ui/dialog/Dialog.tsx'
import { FormDialog, useRequestClose } from '#ui/form/FormDialog.tsx'
import classes from './ManageCloudDialog.module.css'

const tabs = ['configuration', 'regions', 'migration', 'monitoring'] as const
type Tab = (typeof tabs)[number]

const content: Readonly<Record<Tab, ReactNode>> = {
  configuration: <ConfigurationTab />,
  regions: <RegionsTab />,
  migration: <LiveMigrationTab />,
  monitoring: <MonitoringTab />,
}

/** The administrators' settings: configuration for all regions, the regions, live migrations, and monitoring. */
export function ManageCloudDialog() {
  const { t } = useTranslation('cloud')
  return (
    <FormDialog title={t('title')} width="wide" hasCloseButton={false}>
      <ManageCloud />
    </FormDialog>
  )
}

function ManageCloud() {
  const { t } = useTranslation(['cloud', 'app'])
  const requestClose = useRequestClose()
  const [openTab, setOpenTab] = useState<Tab>('configuration')
  // Loaded when the dialog opens, whichever tab is shown first.
  useQuery(regionsQuery)
  useLiveMigrations()
  return (
    <>
      {/* One tab is always open, and entries in the other tabs stay. */}
      <Accordion
        order={3}
        variant="separated"
        value={openTab}
        onChange={(value) => setOpenTab(tabs.find((tab) => tab === value) ?? openTab)}
        classNames={{
          item: classes.item ?? '',
          control: classes.control ?? '',
          label: classes.label ?? '',
          content: classes.content ?? '',
        }}
      >
        {tabs.map((tab) => (
          <Accordion.Item key={tab} value={tab}>
            <Accordion.Control>{t(`tabs.${tab}`)}</Accordion.Control>
            <Accordion.Panel>
              {/* A suspended panel breaks React 19.3 when it is unmounted before its content has loaded. */}
              <Suspense>{content[tab]}</Suspense>
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
      <DialogFoot>
        <Button variant="default" onClick={requestClose}>
          {t('app:close')}
        </Button>
      </DialogFoot>
    </>
  )
}
