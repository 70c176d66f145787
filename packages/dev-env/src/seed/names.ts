/** The names in seeded rooms: invented companies and people of many countries, with letters outside ASCII. */

// biome-ignore format: a list
export const companyNames = [
  'Nordwerk', 'Alpenblick', 'Hanseatik', 'Rheingold', 'Bergmann', 'Lindner', 'Kestrel', 'Bluestone', 'Harbour', 'Fairway',
  'Oakfield', 'Silverline', 'Brightwater', 'Crestview', 'Pinewood', 'Redcliff', 'Summit', 'Vanguard', 'Meridian', 'Polaris',
  'Aurora', 'Solvang', 'Fjordkraft', 'Nyhavn', 'Skagen', 'Malmberg', 'Lumiere', 'Atelier', 'Provence', 'Garonne',
  'Bellavista', 'Torino', 'Adriatica', 'Vesuvio', 'Iberia', 'Levante', 'Andalus', 'Tejo', 'Douro', 'Wisla',
  'Krakow', 'Moravia', 'Bohemia', 'Danubia', 'Balaton', 'Carpatia', 'Attika', 'Egean', 'Bosporus', 'Anatolia',
  'Cedar', 'Sahel', 'Atlas', 'Savanna', 'Kilima', 'Zambezi', 'Kalahari', 'Indus', 'Deccan', 'Malabar',
  'Lotus', 'Mekong', 'Siam', 'Borneo', 'Java', 'Luzon', 'Sakura', 'Fuji', 'Hokkai', 'Hanriver',
  'Jade', 'Pearl', 'Outback', 'Coral', 'Kiwi', 'Maple', 'Prairie', 'Lakeside', 'Bayou', 'Mesa',
  'Sierra', 'Pampas', 'Andina', 'Amazonas', 'Caribe', 'Quetzal', 'Condor', 'Orinoco', 'Ipanema', 'Patagon',
]

// biome-ignore format: a list
export const branches = [
  'Logistics', 'Pharma', 'Insurance', 'Bank', 'Energy', 'Motors', 'Foods', 'Telecom', 'Steel', 'Chemicals',
  'Retail', 'Airlines', 'Shipping', 'Health', 'Media', 'Textiles', 'Paper', 'Optics', 'Robotics', 'Construction',
]

export const legalForms = ['GmbH', 'AG', 'Ltd', 'Inc', 'SE', 'S.A.', 'B.V.', 'ApS', 'S.p.A.', 'Oy', 'Kft.', 'Pty Ltd']

// biome-ignore format: a list
export const firstNames = [
  'Anna', 'Ben', 'Clara', 'David', 'Elena', 'Felix', 'Greta', 'Hannah', 'Ivan', 'Julia', 'Karim', 'Lena', 'Marek',
  'Nora', 'Oskar', 'Paula', 'Quentin', 'Rosa', 'Samir', 'Tina', 'Uwe', 'Vera', 'Wei', 'Xenia', 'Yusuf', 'Zoë',
  'Jürgen', 'Øystein', 'Åsa', 'Søren', 'José', 'Chloé', 'Łukasz', 'Zsófia', 'İpek', 'Björn', 'Márta', 'Hélène',
  'Priya', 'Arjun', 'Mei', 'Hiro', 'Yuki', 'Min-jun', 'Aisha', 'Omar', 'Thandi', 'Kofi', 'Mateus', 'Lucía',
]

// biome-ignore format: a list
export const lastNames = [
  'Müller', 'Schmidt', 'Schneider', 'Fischer', 'Weber', 'Wagner', 'Becker', 'Hoffmann', 'Schäfer', 'Koch', 'Bauer',
  'Smith', 'Jones', 'Taylor', 'Brown', 'Wilson', 'Davies', "O'Neill", 'Murphy', 'Walsh', 'MacDonald', 'Campbell',
  'Martin', 'Bernard', 'Dubois', 'Lefèvre', 'Moreau', 'Rossi', 'Russo', 'Ferrari', 'Esposito', 'García', 'Martínez',
  'López', 'Sánchez', 'Núñez', 'Silva', 'Santos', 'Ferreira', 'de Vries', 'van den Berg', 'Jansen', 'Bakker',
  'Hansen', 'Johansen', 'Øst', 'Ångström', 'Lindqvist', 'Sørensen', 'Korhonen', 'Mäkinen', 'Nowak', 'Kowalska',
  'Wiśniewski', 'Novák', 'Dvořák', 'Nagy', 'Szabó', 'Popescu', 'Ivanova', 'Petrov', 'Yılmaz', 'Demir', 'Papadopoulos',
  'Cohen', 'Haddad', 'Khan', 'Sharma', 'Patel', 'Nair', 'Chen', 'Wang', 'Li', 'Nguyen', 'Tanaka', 'Suzuki', 'Kim',
  'Park', 'Okafor', 'Mensah', 'Dlamini', 'Tremblay', 'Fernández', 'Quispe', 'Oliveira',
]
