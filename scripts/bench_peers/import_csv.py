"""`import_csv.py FILE.csv`: how many bars a second pandas and pyarrow read on one core, checking nothing."""
import sys

import pandas
import pyarrow
import pyarrow.csv

from best_of import best_of

file = sys.argv[1]
pyarrow.set_cpu_count(1)
pyarrow.set_io_thread_count(1)
bars = len(pandas.read_csv(file))
readers = {
    f"pandas {pandas.__version__} (C)": lambda: pandas.read_csv(file, engine="c"),
    f"pyarrow {pyarrow.__version__}": lambda: pyarrow.csv.read_csv(
        file, read_options=pyarrow.csv.ReadOptions(use_threads=False)
    ),
}
for name, read in readers.items():
    print(f"import,{name},{bars / best_of(5, read):.0f},bars/s,floats; no check")
