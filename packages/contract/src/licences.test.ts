/** The catalogue, licence by licence: what is sold, with which counts and types, and where it is counted. */
import { expect, test } from 'vitest'
import { editionsOf, licences, maximumLicenceCount, subLicences } from './licences.ts'

const advanced = 'advanced advanced-base-extension'

// shows: catalogue-sold
test('the licences are those that are sold', () => {
  const rows = licences.map((each) => [
    each.key,
    each.product,
    each.editions.join(' '),
    each.label,
    each.countedAs,
    `${each.default}/${each.minimum}`,
    [
      ...each.types,
      ...(each.obsolete ? ['obsolete'] : []),
      ...(each.needs === undefined ? [] : [`needs ${each.needs}`]),
    ].join(' '),
  ])
  // biome-ignore format: a table
  expect(rows).toEqual([
    ['YABV', 'ARIS', 'basic', 'Viewer', 'viewers', '0/0', 'NUC'],
    ['YABD', 'ARIS', 'basic', 'Designer', 'designers', '1/1', 'NUC'],
    ['YAAV', 'ARIS', advanced, 'Viewer', 'viewers', '0/0', 'NUC'],
    ['YAAD', 'ARIS', advanced, 'Designer', 'designers', '1/1', 'NUC'],
    ['YAAA', 'ARIS', advanced, 'Architect', 'architects', '0/0', 'NUC obsolete'],
    ['YAADS', 'ARIS', advanced, 'Designer SAP', 'designersSap', '0/0', 'NUC obsolete'],
    ['YAABS', 'ARIS', advanced, 'EP business strategy', 'epBus', '0/0', 'NUC obsolete needs YAAA'],
    ['YAAEAM', 'ARIS', advanced, 'EP EAM', 'epEam', '0/0', 'NUC obsolete needs YAAA'],
    ['YAAAS', 'ARIS', advanced, 'Architect SAP', 'architectsSap', '0/0', 'NUC obsolete needs YAAA'],
    ['YPMBA', 'MINING', 'basic', 'Analyst', 'yukonAnalyst', '1/1', 'NUC'],
    ['YPMAA', 'MINING', 'advanced', 'Analyst', 'yukonAnalyst', '1/0', 'NUC'],
    ['YPMAE', 'MINING', 'advanced', 'Engineer', 'yukonEngineer', '0/0', 'NUC'],
    ['YPMAV', 'MINING', 'advanced', 'Viewer', 'yukonViewer', '0/0', 'NUC'],
    ['YPMEA', 'MINING', 'enterprise', 'Analyst', 'yukonAnalyst', '1/0', 'NUC'],
    ['YPMEE', 'MINING', 'enterprise', 'Engineer', 'yukonEngineer', '0/0', 'NUC'],
    ['YPMEV', 'MINING', 'enterprise', 'Viewer', 'yukonViewer', '0/0', 'NUC'],
    ['ESV', 'ENTERPRISE', 'enterprise-shared', 'Viewer', 'esViewer', '0/0', 'NUC CUC'],
    ['ESVP', 'ENTERPRISE', 'enterprise-shared', 'Viewer pro', 'esViewerPro', '0/0', 'NUC CUC'],
    ['ESD', 'ENTERPRISE', 'enterprise-shared', 'Designer', 'esDesigner', '0/0', 'NUC CUC'],
    ['ESA', 'ENTERPRISE', 'enterprise-shared', 'Admin', 'esAdmin', '1/1', 'NUC'],
    ['ESSC', 'ENTERPRISE', 'enterprise-shared', 'SAP Calm server', null, '0/0', 'TEN'],
    ['ESAI', 'ENTERPRISE', 'enterprise-shared', 'AI credits', 'aiCredits', '0/0', 'TEN'],
  ])
  const limited = licences.filter((each) => each.maximum !== maximumLicenceCount)
  expect(limited.map(({ key, maximum }) => [key, maximum])).toEqual([['ESSC', 1]])
})

// shows: catalogue-sold
test('the sub-licences are those that are sold', () => {
  const rows = subLicences.map((each) => [each.key, each.label, each.editions.join(' '), each.kind, each.countedAs])
  // biome-ignore format: a table
  expect(rows).toEqual([
    ['DataVolumeGB', 'Data volume (GB)', 'basic advanced enterprise', 'data-volume', 'yukonDataVolume'],
    ['YPMEF', 'Flex', 'advanced enterprise', 'process-flex', null],
    ['YPMA1', 'Living Process S', 'advanced', 'process-living', null],
    ['YPME1', 'Living S', 'enterprise', 'process-living', null],
    ['YPME2', 'Living M', 'enterprise', 'process-living', null],
    ['YPME3', 'Living L', 'enterprise', 'process-living', null],
    ['YPME4', 'Living XL', 'enterprise', 'process-living', null],
    ['YPME5', 'Living 2XL', 'enterprise', 'process-living', null],
    ['YPME6', 'Living 3XL', 'enterprise', 'process-living', null],
    ['YPME7', 'Living 4XL', 'enterprise', 'process-living', null],
  ])
  const [volume] = subLicences
  expect([volume?.default, volume?.minimum]).toEqual([{ basic: 10, advanced: 10, enterprise: 20 }, 1])
  for (const each of subLicences) {
    expect(each.product).toBe('MINING')
    expect(each.parent).toEqual({ basic: 'YPMBA', advanced: 'YPMAA', enterprise: 'YPMEA' })
  }
})

// shows: catalogue-sold
test('each product has its editions', () => {
  expect(editionsOf).toEqual({
    ARIS: ['basic', 'advanced', 'advanced-base-extension'],
    MINING: ['basic', 'advanced', 'enterprise'],
    ENTERPRISE: ['enterprise-shared'],
  })
})
