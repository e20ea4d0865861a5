# Installs Holdfast @VERSION@ into one directory, $env:HOLDFAST_INSTALL or %LOCALAPPDATA%\Programs\holdfast, and touches nothing else.
$ErrorActionPreference = 'Stop'
Set-StrictMode -Version 3

$version = '@VERSION@'
$downloads = if ($env:HOLDFAST_DOWNLOADS) { $env:HOLDFAST_DOWNLOADS } else { '@DOWNLOADS@' }
$directory = if ($env:HOLDFAST_INSTALL) { $env:HOLDFAST_INSTALL } else { Join-Path $env:LOCALAPPDATA 'Programs\holdfast' }
if (-not [Environment]::Is64BitOperatingSystem) { throw 'Cannot install Holdfast: there is no build for 32-bit Windows' }

New-Item -ItemType Directory -Force -Path $directory | Out-Null
$work = Join-Path $directory ('.holdfast.' + [IO.Path]::GetRandomFileName())
New-Item -ItemType Directory -Path $work | Out-Null
try {
  $archive = "holdfast-$version-win-x64.zip"
  Invoke-WebRequest -UseBasicParsing -Uri "$downloads/SHA256SUMS" -OutFile (Join-Path $work 'SHA256SUMS')
  Invoke-WebRequest -UseBasicParsing -Uri "$downloads/$archive" -OutFile (Join-Path $work $archive)
  $line = Get-Content (Join-Path $work 'SHA256SUMS') | Where-Object { $_.EndsWith(" $archive") } | Select-Object -First 1
  if (-not $line) { throw "Cannot install Holdfast: SHA256SUMS does not name $archive" }
  $sum = (Get-FileHash -Algorithm SHA256 (Join-Path $work $archive)).Hash
  if ($sum -ne $line.Split(' ')[0]) { throw "Cannot install Holdfast: $archive is not what SHA256SUMS says; nothing was installed" }
  Expand-Archive -Path (Join-Path $work $archive) -DestinationPath $work
  Move-Item -Force (Join-Path $work 'holdfast.exe') (Join-Path $directory 'holdfast.exe')
} finally {
  Remove-Item -Recurse -Force $work
}

& (Join-Path $directory 'holdfast.exe') --version
if ($LASTEXITCODE -ne 0) { Write-Warning 'If a file named VCRUNTIME140.dll is missing, install the Microsoft Visual C++ Redistributable (x64)' }
if (-not ($env:PATH -split ';' -contains $directory)) { Write-Output "Add it to your PATH: $directory" }
