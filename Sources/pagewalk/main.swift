print("pagewalk")
